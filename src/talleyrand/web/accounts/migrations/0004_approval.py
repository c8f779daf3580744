from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_guests")]

    operations = [
        migrations.AddField(
            "person",
            "approval",
            models.CharField(blank=True, choices=[("", "None"), ("approved", "Approved"), ("organiser", "Organiser")], default="", max_length=9),
        )
    ]
